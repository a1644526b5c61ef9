// `check`: the OpenAPI document is valid, and docs/openapi.json is what the service answers. `write`: writes that file.
// It is kept in the repository so that a change of the API is seen in a review.

import { readFile, writeFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { readConfig } from '../src/config.ts'
import { buildApp } from '../src/http/app.ts'
import { openLog } from '../src/log.ts'
import { openWorld } from '../src/world.ts'

const FILE = new URL('../docs/openapi.json', import.meta.url)

/** Nothing is asked of it: the document is made of the routes alone. */
const NO_DATABASE = 'postgresql://127.0.0.1:1/none'

async function main(): Promise<void> {
  const document = await documentOfService()
  const { valid, errors } = await new Validator().validate(document)
  if (!valid) throw new Error(`the document is not valid OpenAPI: ${JSON.stringify(errors)}`)
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (process.argv[2] === 'write') return writeFile(FILE, text)
  const kept = await readFile(FILE, 'utf8').catch(() => '')
  if (kept !== text) throw new Error('docs/openapi.json is out of date: npm run openapi')
}

async function documentOfService(): Promise<Record<string, unknown>> {
  const world = openWorld({
    config: readConfig({}),
    databaseUrl: NO_DATABASE,
    log: openLog('silent'),
  })
  const app = await buildApp(world)
  await app.ready()
  const document = { ...app.swagger() }
  await app.close()
  await world.close()
  return document
}

try {
  await main()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
