"""Any value of the product as text, JSON, HTML or a picture."""
