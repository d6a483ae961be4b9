"""Firefox and WebKit, driven as Playwright drives Chromium.

A journey is written once, against Playwright's pages. Playwright can drive neither Debian's Firefox
nor its WebKit, so here is the part of a page that journeys use, for both: each browser needs to
offer no more than `Tab` (`tab.py`). There is no touch, and nothing stands between a page and its
house: a journey that needs that stays with Chromium.

    page.py      a page, its keyboard and mouse, and a visitor's context of cookies
    locator.py   parts of a page: found by `locate.js`, clicked at the real pointer
    firefox.py   Firefox, by WebDriver BiDi, which it speaks itself
    webkit.py    WebKitGTK, by WebKitWebDriver, in windows of an Xvfb
    pictures.py  pages as each of the three draws them, for a person to look at
"""
