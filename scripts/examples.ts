// The examples of answers in the OpenAPI document: a private service answers every operation.
// `write` keeps the answers, `check` compares them with the kept ones.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceDocument } from './documents/service-document.ts'
import { makeExamples } from './examples/make-examples.ts'

const FILE = join(import.meta.dirname, '..', 'src', 'http', 'document', 'response-examples.json')

async function main(): Promise<void> {
  const made = `${JSON.stringify(await makeExamples(await serviceDocument()), null, 2)}\n`
  if (process.argv[2] === 'write') await writeFile(FILE, made)
  else if ((await readFile(FILE, 'utf8')) !== made) {
    throw new Error(`${FILE} is out of date: npm run openapi`)
  }
}

try {
  await main()
} catch (error) {
  console.error((error as Error).message)
  // Open handles would keep the process alive, and nothing closes them after a failure.
  process.exit(1)
}
