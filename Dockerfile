# The table in a container: play, watch and analyse in the browser.
#
#   docker build -t hansa-table . && docker run --rm -p 127.0.0.1:8000:8000 -v hansa-games:/games hansa-table
#
# It prints the link of the host; put 127.0.0.1 where it says 0.0.0.0, and open it in a browser of this machine.
#
# NEVER BUILT where it was written, which had no Docker: the job `image` of the workflow `release` builds and tries it.
FROM python:3.12-slim

RUN useradd --create-home player && mkdir /games && chown player /games
WORKDIR /home/player
COPY . /source
# PyTorch for the processor alone: trained agents play at the table, and the image stays without CUDA.
RUN pip install --no-cache-dir torch==2.13.0 --index-url https://download.pytorch.org/whl/cpu \
    && pip install --no-cache-dir "/source[train,table]" \
    && rm -rf /source
USER player
# The rules and the agents are compiled once, here, and not at each start: with --rm a container forgets.
ENV NUMBA_CACHE_DIR=/home/player/compiled
RUN hansa compile
VOLUME /games
EXPOSE 8000
# In a container the table has to listen to more than itself; -p above opens it to this machine alone.
CMD ["hansa", "table", "--host", "0.0.0.0", "--port", "8000", "--no-browser", "--games", "/games/games.sqlite"]
