# syntax=docker/dockerfile:1

# One image for every process of the service: `api` (the default), `worker`, `migrate`, `doctor` and all
# other commands. It brings no database: DATABASE_URL says where PostgreSQL is. `npx tsx scripts/image.ts` carries out these
# very steps without a container engine, and starts what they make.

FROM node:22.23.3-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: ours would build before the sources are copied, and no others are needed.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json prisma.config.ts build.ts ./
COPY prisma ./prisma
COPY src ./src
COPY workers ./workers
# The commit that operators see beside the version: --build-arg GIT_COMMIT=$(git rev-parse HEAD)
ARG GIT_COMMIT
RUN npm run build
# Once more, without the tools of development and without the optional packages: these are the embedded
# PostgreSQL, which is not used in a container.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:22.23.3-bookworm-slim AS final
WORKDIR /app
LABEL org.opencontainers.image.title="Lamplighter" \
      org.opencontainers.image.description="A payments service whose heart is its workers" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/app/data
# The only writable folder: the outbox of messages without a provider.
RUN mkdir data && chown 10001:10001 data
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY prisma/migrations ./prisma/migrations
COPY public ./public
COPY package.json LICENSE ./
# By number, so that an orchestrator can see that it is not root.
USER 10001:10001
EXPOSE 3000
# A worker answers on WORKER_PORT, other processes on PORT.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.WORKER_PORT || process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and handles SIGTERM itself. It starts no children, so none need reaping.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/src/main.js"]
CMD ["api"]
