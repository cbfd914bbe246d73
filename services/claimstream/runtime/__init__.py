"""What every service shares when it runs: engines and models from settings, signals, health, the loop's life."""
