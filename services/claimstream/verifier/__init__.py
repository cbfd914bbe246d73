"""The verifier service: `bot.responses` in, `claims.verdicts` and `responses.verdicts` out."""
