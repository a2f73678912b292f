"""The nodes of the tree, made from what the parser has read; one file for each part of the grammar."""
