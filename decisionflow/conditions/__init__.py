"""What a condition means: values, operators, Kleene logic, intervals; nothing here knows a text or a table."""
