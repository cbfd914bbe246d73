"""Tiny random models as Hugging Face saves them: every step of an export without the weights."""

import json
from pathlib import Path

import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import RobertaProcessing, TemplateProcessing
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    BertModel,
    DistilBertConfig,
    DistilBertForSequenceClassification,
    PreTrainedModel,
    RobertaConfig,
    RobertaForSequenceClassification,
)

from claimstream.training.golden import GoldenPair

LABELS = ("entailment", "neutral", "contradiction")
WORDS = (
    *("the", "a", "refund", "refunds", "takes", "take", "five", "ten", "days"),
    *("is", "not", "free", "fee", "within", "of", "purchase", "plan", "plans"),
)


def pairs(count: int = 24) -> list[GoldenPair]:
    """Pairs of very different lengths; their numbers are to be replaced by a reference."""
    return [
        GoldenPair(
            premise=" ".join(WORDS[(i * 5 + j) % len(WORDS)] for j in range(1 + 3 * (i % 13))),
            hypothesis=" ".join(WORDS[(i * 3 + j) % len(WORDS)] for j in range(1 + i % 7)),
            label="neutral",
            source="test",
            entailment=0.0,
            neutral=1.0,
            contradiction=0.0,
        )
        for i in range(count)
    ]


def classifier(folder: Path, architecture: str = "bert", labels: tuple[str, ...] = LABELS) -> Path:
    """A random classifier, the same for the same arguments."""
    torch.manual_seed(7)
    id2label = dict(enumerate(labels))
    sizes = {"vocab_size": 32, "id2label": id2label, "label2id": {name: i for i, name in id2label.items()}}
    model: PreTrainedModel
    if architecture == "bert":
        model = BertForSequenceClassification(BertConfig(**sizes, **_BERT))
    elif architecture == "roberta":
        config = RobertaConfig(
            **sizes, **(_BERT | {"max_position_embeddings": 98, "type_vocab_size": 1}), pad_token_id=1
        )
        model = RobertaForSequenceClassification(config)
    else:
        model = DistilBertForSequenceClassification(
            DistilBertConfig(**sizes, n_layers=2, n_heads=2, dim=64, hidden_dim=64, max_position_embeddings=96)
        )
    return _save(model, folder, roberta=architecture == "roberta")


def encoder(folder: Path, pooling: str) -> Path:
    """A random sentence encoder with the pooling `mean`, `cls` or another one."""
    torch.manual_seed(8)
    _save(BertModel(BertConfig(vocab_size=32, **_BERT)), folder, roberta=False)
    (folder / "1_Pooling").mkdir()
    modes = {"mean": "pooling_mode_mean_tokens", "cls": "pooling_mode_cls_token", "max": "pooling_mode_max_tokens"}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({modes[pooling]: True}))
    return folder


_BERT = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 96,
    "initializer_range": 0.3,  # far from even: a wrong pooling or mask shows
}


def _save(model: PreTrainedModel, folder: Path, *, roberta: bool) -> Path:
    model.eval().save_pretrained(folder)
    specials = ["<s>", "<pad>", "</s>", "<unk>"] if roberta else ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    tokenizer = Tokenizer(
        WordLevel({word: i for i, word in enumerate([*specials, *WORDS])}, unk_token=specials[3 if roberta else 1])
    )
    tokenizer.pre_tokenizer = Whitespace()
    if roberta:
        tokenizer.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0))
    else:
        tokenizer.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
    tokenizer.add_special_tokens(specials)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
