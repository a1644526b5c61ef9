// docs/api.md: every route on one page.

import { operationsOf } from './operations.ts'
import type { ApiDocument } from './service-document.ts'

const HEAD = `# The API at a glance

<!-- Made by \`npm run openapi\`; do not edit. -->

What each operation takes and answers is in [openapi.json](openapi.json), which a running service
shows at \`/docs\`. The errors are in [errors.md](errors.md), a [walkthrough](walkthrough.md) calls
every operation, and the [clients](sdk.md) call them from TypeScript and Python.

![The page of /docs that describes payments](pictures/reference/payments-desk.png)`

export function routePage(document: ApiDocument): string {
  const tables = document.tags.map(({ name, description }) => {
    const rows = operationsOf(document)
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => `| ${method} | \`${path}\` | ${operation.summary} |`)
    return [`## ${name}`, '', description, '', '| | | |', '|---|---|---|', ...rows].join('\n')
  })
  return `${[HEAD, ...tables].join('\n\n')}\n`
}
