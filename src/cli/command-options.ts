// What several commands have in common: their options, examples, and what they say to a word that
// they do not know.

import type { Command } from 'commander'
import { isNear } from '../core/spelling.ts'

export const JSON_OPTION = ['--json', 'print one JSON document'] as const

export const WIDE_OPTION = ['--wide', 'show all columns, and cut nothing'] as const

export function examples(...lines: readonly string[]): string {
  return `\nExamples\n${lines.map((line) => `  $ lamplighter ${line}`).join('\n')}`
}

/**
 * A group that lists without a further word. The list would take a misspelt command of its group
 * for an argument of its own.
 */
export function listsByDefault(group: Command, list: Command): void {
  list.allowExcessArguments().hook('preAction', (_this, { args: [word] }) => {
    if (word === undefined) return
    const near = group.commands
      .map((command) => command.name())
      .find((name) => isNear(name, word, 2))
    const meant = near === undefined ? '' : `\n(Did you mean ${near}?)`
    group.error(`error: unknown command '${word}'${meant}`, { code: 'commander.unknownCommand' })
  })
}
