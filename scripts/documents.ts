// Everything in docs/ and packages/ that is made of the routes, their schemas and the error
// catalogue. `write` makes it. `check` tests that the OpenAPI document is valid, that two linters
// find no fault in it, and that the files are as `write` would make them. They are kept in the
// repository so that a review shows each change of the API.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { clientTable, clientTypes } from './documents/client-types.ts'
import { errorPage } from './documents/error-page.ts'
import { faultsIn } from './documents/judges.ts'
import { pythonMethods } from './documents/python-methods.ts'
import { pythonTypes } from './documents/python-types.ts'
import { routePage } from './documents/route-page.ts'
import { type ApiDocument, serviceDocument } from './documents/service-document.ts'

const ROOT = join(import.meta.dirname, '..')

const MAKERS: Readonly<Record<string, (document: ApiDocument) => string | Promise<string>>> = {
  'docs/openapi.json': (document) => `${JSON.stringify(document, null, 2)}\n`,
  'docs/api.md': routePage,
  'docs/errors.md': errorPage,
  'packages/client/src/api.ts': clientTypes,
  'packages/client/src/operations.ts': clientTable,
  'packages/python/lamplighter/types.py': pythonTypes,
  'packages/python/lamplighter/operations.py': pythonMethods,
}

async function main(): Promise<void> {
  const document = await serviceDocument()
  const { valid, errors } = await new Validator().validate({ ...document })
  if (!valid) throw new Error(`the document is not valid OpenAPI: ${JSON.stringify(errors)}`)
  const faults = await faultsIn(document)
  if (faults.length > 0) throw new Error(['the document has faults:', ...faults].join('\n'))
  for (const [name, make] of Object.entries(MAKERS)) {
    const made = await make(document)
    if (process.argv[2] === 'write') await write(join(ROOT, name), made)
    else await check(join(ROOT, name), made)
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function check(file: string, text: string): Promise<void> {
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept !== text) throw new Error(`${file} is out of date: npm run openapi`)
}

try {
  await main()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
