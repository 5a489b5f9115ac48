"""What the HTML pages and the Markdown comments share."""
