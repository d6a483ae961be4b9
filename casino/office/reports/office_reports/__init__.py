"""The reports of the house, a file each; `casino/office/reports/registry.py` finds them."""
