import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import { engineAdapter } from './adapter.ts'

const require = createRequire(import.meta.url)

/**
 * Prisma's schema engine as WebAssembly: the same rules as the downloaded binary, out of the
 * package.
 */
export async function openEngine(url: string): Promise<SchemaEngine> {
  await load()
  const adapter = bindMigrationAwareSqlAdapterFactory(engineAdapter(url))
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter)
}
let loading: Promise<void> | undefined
function load() { loading ??= doLoad(); return loading }
async function doLoad(): Promise<void> {
  const js = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const bytes = await readFile(js.replace(/\.js$/, '.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': bindings as never })
  ;(bindings as any).__wbg_set_wasm(instance.exports)
  ;(instance.exports as any).__wbindgen_start()
}
