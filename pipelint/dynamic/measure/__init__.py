"""What stages and steps cost, measured on the live pipeline."""
