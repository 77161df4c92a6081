"""The tokenizer: what a Markdown reader sees as prose, and nothing else."""
