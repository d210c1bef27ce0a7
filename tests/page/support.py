"""A test in a browser: one for all tests of a file, a folder for their pages."""

import pathlib
import tempfile
import unittest

import checks
import sample_report
from browser import Browser, Page


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="deltaproof-page-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.browser = cls.enterClassContext(Browser())

    def written(self, run=None, matrix=None, claims=None):
        return sample_report.write_page(self.folder / self.id(), run, matrix, claims)

    def opened(self, path, address="", **window):
        """The page, loaded, and without a fault so far."""
        page = Page(self.browser, **window)
        self.addCleanup(page.close)
        page.open(path, address).settle()
        self.addCleanup(self.assert_quiet, page)
        self.assert_quiet(page)
        return page

    def assert_quiet(self, page):
        """No error, and nothing asked of anybody; also when a test is over."""
        self.assertEqual(checks.console_faults(page), [])
        self.assertEqual(checks.requests_made(page), [])
