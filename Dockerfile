# One image for web server, worker and beat; docker-compose.yml says which command each of them runs.
# By tag; docs/operations.md (Images by digest) says how to hold one to its digest.
ARG HELDOUT_BASE_IMAGE=python:3.11-slim-trixie
FROM ${HELDOUT_BASE_IMAGE}

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 HELDOUT_DATA=/data

# pg_dump and pg_restore for backups; they have to be of PostgreSQL's version in docker-compose.yml, or newer.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-17 && rm -rf /var/lib/apt/lists/*

RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin heldout \
 && install -d -o heldout -g heldout /data /data/uploads /data/repairs /data/rehearsals /data/beat

WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --require-hashes -r requirements.txt

COPY . .
# Static files are part of the image, so that an upgrade brings its own. No secret is needed to collect them.
RUN HELDOUT_MODE=test HELDOUT_STATIC_ROOT=/data/static python manage.py collectstatic --noinput --verbosity 0

# Stands in the provenance of scores: docker compose build --build-arg HELDOUT_COMMIT=$(git rev-parse HEAD)
ARG HELDOUT_COMMIT=""
ENV HELDOUT_COMMIT=$HELDOUT_COMMIT

USER heldout
EXPOSE 8000
