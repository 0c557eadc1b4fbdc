"""Where templates break lines and long words, and where not."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def at_slashes(path: str) -> SafeString:
    """A file's path that is broken after a slash where it does not fit, rather than in the middle of a name."""
    return format_html_join(SafeString("/<wbr>"), "{}", ((part,) for part in path.split("/")))


@register.filter
def one_line(text: str) -> str:
    """The text without the line breaks of its template, for titles and attributes."""
    return " ".join(text.split())
