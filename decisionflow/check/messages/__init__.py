"""Everything that a check says, split by what is wrong: one function per message, one voice, for an analyst."""
