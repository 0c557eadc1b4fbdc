"""Lists in pages."""

from rest_framework.pagination import LimitOffsetPagination


class Paging(LimitOffsetPagination):
    """`?limit=` (at most 200) and `?offset=`."""

    default_limit = 100
    max_limit = 200
