"""What is checked and what is not: greetings, questions, commands, opinions, hedges, abstentions, announcements."""

import pytest

from grammar import claims_of

KINDS = {
    "greeting": [
        "Hello!",
        "Hi Anna!",
        "Thanks for reaching out.",
        "Thank you for contacting Acme!",
        "Great question!",
        "I'm happy to help.",
        "I hope this helps!",
        "I understand your frustration.",
        "I'm sorry for the inconvenience.",
        "Have a great day!",
        "Sure!",
    ],
    "question": [
        "Is there anything else I can help with?",
        "What is the capital of France?",
        "Would you like me to cancel it?",
        "Question 1: What is the capital of France?",
    ],
    "instruction": [
        "Open the settings and click Cancel.",
        "Please contact support.",
        "To cancel, go to Settings > Billing.",
        "If you need help, contact our team.",
        "Don't share your password.",
        "Click Reset.",
        "Make sure it's unused.",
        "Please let me know if you have other questions.",
    ],
    "opinion": [
        "Our product is great.",
        "In my opinion, the Pro plan is too dear.",
        "I would recommend the Pro plan.",
        "This is the best choice.",
        "I love this plan.",
    ],
    "hedge": [
        "It may be worth checking your statement.",
        "I think refunds take 5 days.",
        "Refunds probably take 5 days.",
        "Perhaps the fee is waived.",
        "You might want to call the bank.",
        "As far as I know, returns are free.",
        "The fee seems to be $5.",
        "It is possible that the fee is waived.",
    ],
    "abstention": [
        "I could not find that in the documents.",
        "I don't have information about shipping to Norway.",
        "I'm sorry, but I can't access your account.",
        "The documents do not mention international shipping.",
        "I'm not sure.",
        "There is no information available about this.",
        "I don’t know.",
        "We do not have any details on that.",
    ],
    "meta": [
        "Here is a summary:",
        "Here's what I found:",
        "Let me explain.",
        "Below are the steps:",
        "Yes.",
        "No.",
        "In summary:",
        "Paris",
        "Answer: Paris",
    ],
    "claim": [
        "Personally identifiable data is sold to third parties.",
        "No information is given to third parties.",
        "We do not have data centers outside Germany.",
        "We don't have access restrictions for children.",
        "This article does not include batteries.",
        "Thanks to our guarantee, refunds are available for 90 days.",
        "Sorry but refunds are not available after 10 days.",
        "I found that refunds are available for 90 days.",
        "As an AI assistant, I see that refunds are paid in cash.",
        "Let me be clear, refunds are available for 90 days.",
        "Here's the deal - refunds are available for 90 days to everyone.",
        "It might be worth noting that refunds are paid in cash within 2 days.",
        "You may want to know that gift vouchers can be refunded in cash.",
        "Refunds are paid in cash, which is great.",
        "It is perfect for students because they pay only 19 EUR.",
        "Gift vouchers can be refunded, right?",
        "HEY subscriptions are billed monthly.",
        "Welcome kits are sent to new members.",
        "Enterprise customers may request an extension.",
        "You may return it within 30 days.",
        "The policy says that refunds take 5 days.",
        "Support told me that it is free.",
        "We do not ship to Norway.",
        "You should contact support within 5 days.",
        "You must send the form by post.",
        "You are not able to change your name.",
        "No refunds after 30 days.",
        "Free shipping on all orders.",
        "Yes, it is covered.",
        "Up to 60 days.",
        "There is a fee of $5.",
        "You can let us know by email.",
        "What you pay depends on your plan.",
        "The deposit might be refunded.",
    ],
}
CASES = [(text, kind) for kind, texts in KINDS.items() for text in texts]


@pytest.mark.parametrize(("text", "kind"), CASES, ids=[f"{kind}-{text[:30]}" for text, kind in CASES])
def test_kind(text: str, kind: str) -> None:
    found = [claim.kind.value for claim in claims_of(text)]
    assert found[-1:] == [kind]
    assert kind == "claim" or "claim" not in found


def test_a_quiz_has_nothing_to_check() -> None:
    quiz = "Question 1: What is the capital of France?\nA) Paris\nB) London\nAnswer: Paris"
    assert not any(claim.checkable for claim in claims_of(quiz))
