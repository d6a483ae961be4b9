"""The admin's theme without evaluation: its templates are mended as they are loaded.

The theme works by Alpine, which evaluates the attributes of the page and would need `unsafe-eval`.
Alpine's build for strict policies has its own parser for these expressions; the few that it does
not read are replaced here by names, which `static/backoffice/frame.js` defines. An update of the
theme that changes one of them is refused by name, when the template is loaded.
"""

from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.template import Origin
from django.template.loaders import app_directories

ALPINE: Final = "vendor/alpinejs-csp-3.17.4.min.js"
FONT: Final = "--font-sans: var(--sans);"
NONCE: Final = 'nonce="{{ request.csp_nonce }}"'
_SIDEBAR: Final = "sidebarDesktopOpen = !sidebarDesktopOpen"
_CELLS: Final = "{{ item }}\n                        {% endfor %}\n"
_TAB: Final = "{% tabs_primary_active inline_admin_formsets %}"

# By the name of a template: the text in it, and the text that replaces it.
MENDED: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "unfold/layouts/skeleton.html": (
        (
            "<script src=\"{% static 'unfold/js/alpine/alpine.js' %}\" defer></script>",
            (
                '<script type="module" src="'
                "{% block script %}{% static 'pages/office.js' %}{% endblock %}\"></script>\n"
                f"<script src=\"{{% static '{ALPINE}' %}}\" defer></script>"
            ),
        ),
        (
            "<script src=\"{% static 'unfold/js/htmx/htmx.js' %}\"></script>",
            (
                '<meta name="htmx-config" content=\'{"allowEval": false,'
                ' "inlineStyleNonce": "{{ request.csp_nonce }}"}\'>\n'
                "<script src=\"{% static 'unfold/js/htmx/htmx.js' %}\"></script>"
            ),
        ),
        (
            (
                f"""x-data="{{
                  {{% if opts %}}activeTab: '{_TAB}',{{% endif %}}
                  sidebarMobileOpen: false,
                  sidebarDesktopOpen: (localStorage.getItem('sidebarDesktopOpen') !== null)"""
                """ ? (localStorage.getItem('sidebarDesktopOpen') == '1') : true
                  }\""""
            ),
            f"""x-data="office({{% if opts %}}'{_TAB}'{{% endif %}})\"""",
        ),
        (
            (
                f"""x-init="
                  activeTab = {{% if opts %}}getCurrentTab() || '{_TAB}'{{% else %}}''{{% endif %}};
                  $watch('sidebarDesktopOpen', value =>"""
                """ localStorage.setItem('sidebarDesktopOpen', value ? '1' : '0'));
                 \""""
            ),
            "",
        ),
        (
            '<style id="unfold-theme-colors">',
            f'<style id="unfold-theme-colors" {NONCE}>:root {{ {FONT} }}',
        ),
        # Charts of the house are drawn by the server, and letters are those of the reader's system.
        ("<script src=\"{% static 'unfold/js/chart/chart.js' %}\"></script>", ""),
        ('<link href="{% static "unfold/fonts/inter/styles.css" %}" rel="stylesheet">', ""),
    ),
    "unfold/helpers/header_title.html": (
        # The name of an app says nothing to its readers.
        (
            "{% for part in parts %}",
            "{% for part in parts %}{% if forloop.last or not forloop.first %}",
        ),
        ("{% endfor %}", "{% endif %}{% endfor %}"),
    ),
    "unfold/helpers/welcomemsg.html": (
        # The frame stores it.
        (
            (
                f"{_SIDEBAR}; localStorage.setItem('sidebarDesktopOpen', sidebarDesktopOpen"
                " ? '1' : '0');"
            ),
            _SIDEBAR,
        ),
    ),
    "unfold/helpers/search.html": (
        # In words of the house, not of a programmer.
        (
            ">\n                    {% trans 'Search apps and models...' %}",
            ">\n                    {% trans 'Find anything' %}",
        ),
        (
            "placeholder=\"{% trans 'Search apps and models...' %}\"",
            "placeholder=\"{% trans 'Find anything' %}\"",
        ),
    ),
    "admin/change_list_results.html": (
        # On a phone a row is one line, and a tap shows its other cells.
        ('<tr class="data-row', '<tr class="data-row one-line'),
        (_CELLS, _CELLS + '{% include "backoffice/opens.html" %}'),
    ),
    "unfold/helpers/empty_results.html": (
        (
            "{% load admin_urls i18n %}",
            "{% load admin_urls i18n office_parts %}{% rows_searched cl as rows %}",
        ),
        (
            (
                '{% trans "This page yielded into no results. Create a new item or reset your'
                ' filters." %}'
            ),
            "{% empty_list cl.model_admin.menu.about rows=rows %}",
        ),
    ),
    "unfold/helpers/command.html": (
        (
            "if (!$event.metaKey && !$event.ctrlKey) selectItem(",
            "!$event.metaKey && !$event.ctrlKey && selectItem(",
        ),
        (
            'placeholder="{% trans "Type to search" %}"',
            (
                "placeholder=\"{% trans 'Player, table, hand, receipt or page' %}\""
                " aria-label=\"{% trans 'Search' %}\""
            ),
        ),
        ('hx-trigger="keyup changed delay:500ms"', 'hx-trigger="keyup changed delay:200ms"'),
    ),
    "admin/change_form.html": (
        (
            (
                "activeTab && activeTab !== 'general' ? window.location.pathname"
                " + window.location.search + '#' + activeTab"
                " : window.location.pathname + window.location.search"
            ),
            "addressOfForm",
        ),
    ),
    "admin/change_list.html": (("<style>", f"<style {NONCE}>"),),
}


def mend(name: str, text: str) -> str:
    for old, new in MENDED.get(name, ()):
        if text.count(old) != 1:
            raise ImproperlyConfigured(f"The theme's {name} no longer has once: {old}")
        text = text.replace(old, new)
    return text


class Loader(app_directories.Loader):
    """Loads the templates of applications, and mends those of the theme."""

    def get_contents(self, origin: Origin) -> str:
        text = super().get_contents(origin)
        if "/unfold/templates/" in str(origin.name):
            return mend(str(origin.template_name), text)
        return text
