"""Files of pages have names in front of players that change with their contents."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Scripts import one another by name, so the names in them are replaced, too."""

    support_js_module_import_aggregation = True
