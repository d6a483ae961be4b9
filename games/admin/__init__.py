"""The back office: importing this registers the lists of tables, hands, shoes and days."""

from games.admin import hands, tables

__all__ = ["days", "hands", "tables"]
