import { defineConfig } from 'prisma/config'

// `prisma generate` needs no engine, yet looks for one and would download it. Node itself stands in.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })
