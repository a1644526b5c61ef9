// The OpenAPI document of the service, and the parts of it that these scripts read.

import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { openLog } from '../../src/log.ts'
import { openWorld } from '../../src/world.ts'

export type Schema = Readonly<Record<string, unknown>>

interface Parameter {
  readonly in: 'query' | 'header' | 'path'
  readonly name: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: object }>>

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  /** Absent if no key is needed. */
  readonly security: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >
}

export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The database is never used: the document is made of the routes alone. */
const NO_DATABASE = 'postgresql://127.0.0.1:1/none'

export async function serviceDocument(): Promise<ApiDocument> {
  const world = openWorld({
    config: readConfig({}),
    databaseUrl: NO_DATABASE,
    log: openLog('silent'),
  })
  const app = await buildApp(world)
  await app.ready()
  const document = JSON.stringify(app.swagger())
  await app.close()
  await world.close()
  return JSON.parse(document)
}
