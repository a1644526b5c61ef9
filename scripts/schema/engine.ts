// Prisma's schema engine as WebAssembly: the same rules as the downloaded binary, out of a package.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import { engineAdapter } from './adapter.ts'

const BINDINGS = '@prisma/schema-engine-wasm/schema_engine_bg'

/** The parts of the module that the bindings need, and Node's own types do not know. */
interface WasmBindings {
  __wbg_set_wasm(exports: unknown): void
}

interface WasmApi {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}

let isLoaded = false

export async function openEngine(url: string): Promise<SchemaEngine> {
  if (!isLoaded) await load()
  const adapter = bindMigrationAwareSqlAdapterFactory(engineAdapter(url))
  return bindings.SchemaEngine.new({ datamodels: undefined }, () => {}, adapter)
}

async function load(): Promise<void> {
  const file = createRequire(import.meta.url).resolve(BINDINGS)
  const bytes = await readFile(file.replace(/\.js$/, '.wasm'))
  const wasm = Reflect.get(globalThis, 'WebAssembly') as unknown as WasmApi
  const { instance } = await wasm.instantiate(bytes, { './schema_engine_bg.js': bindings })
  const loaded = bindings as unknown as WasmBindings
  loaded.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  isLoaded = true
}
