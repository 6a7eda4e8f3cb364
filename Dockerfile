# One image for every process of docker-compose.yml. The same wheels as script/server installs; nothing is compiled.
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 VAR_DIR=/data HOST=0.0.0.0
WORKDIR /app

COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check --only-binary :all: --require-hashes -r requirements.txt

COPY . .
RUN useradd --system --uid 10001 --home-dir /data --create-home sixprime \
    && SECRET_KEY=of-no-installation python manage.py compile_translations \
    && python -m compileall -q config tournament matches players rules \
    && chown -R sixprime /data
USER sixprime
VOLUME /data
EXPOSE 8000 8001

CMD ["python", "-m", "config.serve"]
