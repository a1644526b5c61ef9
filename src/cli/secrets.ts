// `lamplighter secrets …` seals the secrets in the database again, and forgets a key that is lost.

import { type Concerned, forgetSecretsKey } from '../upkeep/forget-secrets-key.ts'
import { type Rotated, rotateSecrets } from '../upkeep/secrets-keys.ts'
import { withWorld } from './open-service.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import type { TableColumn } from './table.ts'

export function rotateSecretsCommand(
  options: Output & { readonly newKey?: boolean },
): Promise<void> {
  return withWorld(async (world) => {
    const rotated = await rotateSecrets(world, { hasNewKey: options.newKey === true })
    printOne(
      { ...rotated, unused: options.json === true ? rotated.unused : unusedText(rotated) },
      options,
    )
    if (rotated.left > 0) process.exitCode = 1
  })
}

function unusedText({ unused }: Rotated): string {
  return unused.length === 0
    ? ''
    : `${unused.join(', ')} (keep it as long as you keep a backup made under it)`
}

const COLUMNS: readonly TableColumn<Concerned>[] = [
  { heading: 'UNREADABLE', read: ({ kind }) => kind },
  { heading: 'NAME', read: ({ name }) => name, isCut: true },
  { heading: 'TEAM', read: ({ team }) => team, isCut: true },
  { heading: 'MODE', read: ({ mode }) => mode },
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'ACCOUNT', read: ({ accountId }) => accountId, isWide: true },
]

export function forgetSecretsKeyCommand(id: string, options: ListOutput): Promise<void> {
  return withWorld(async (world) => {
    printRows(await forgetSecretsKey(world, id.toLowerCase()), COLUMNS, options)
  })
}
