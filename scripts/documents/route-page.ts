// docs/api.md: every route on one page.

import { operationsOf } from './operations.ts'
import type { ApiDocument } from './service-document.ts'

const HEAD = `# The API at a glance

<!-- Made by \`npm run openapi\`; do not edit. -->

What each of them takes and answers is in [openapi.json](openapi.json), which a running service
shows at \`/docs\`; the errors are in [errors.md](errors.md), a [walk](walkthrough.md) leads through
all of it, and the [clients](sdk.md) call it from TypeScript and Python.

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
