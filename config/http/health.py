"""Exit status 0 while the web server answers: any page that is no server error will do."""

import http.client
import os
import sys


def main(port: int = 8000) -> int:
    """Ask for the home page as the proxy in front would; what the web service's health check runs."""
    host = os.environ.get("HELDOUT_ALLOWED_HOSTS", "localhost").split(",")[0].lstrip(".")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
    try:
        connection.request("GET", "/", headers={"Host": host, "X-Forwarded-Proto": "https"})
        status = connection.getresponse().status
    except OSError as error:
        print(f"no answer: {error}")
        return 1
    finally:
        connection.close()
    print(f"answered {status}")
    # 404: nothing has been published yet. 400 would mean that HELDOUT_ALLOWED_HOSTS is wrong.
    return 0 if status in (http.HTTPStatus.OK, http.HTTPStatus.NOT_FOUND) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
