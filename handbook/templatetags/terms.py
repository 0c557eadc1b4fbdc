"""Terms where they are met, linked to the glossary."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from handbook.anchors import anchor

register = template.Library()


@register.simple_tag
def term(name: str, words: str = "") -> SafeString:
    """The term as a link to its entry: `{% term "cut-off" %}`; in other words `{% term "cut-off" "cut-offs" %}`."""
    return format_html('<a class="term" href="/handbook/glossary/#{}">{}</a>', anchor(name), words or name)
