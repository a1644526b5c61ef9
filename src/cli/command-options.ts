// What several commands have in common: their options, their examples, and the error for an unknown
// command.

import type { Command } from 'commander'
import { nearestName } from '../core/spelling.ts'

export const JSON_OPTION = ['--json', 'print one JSON document'] as const

export const WIDE_OPTION = ['--wide', 'show all columns, and cut nothing'] as const

export function examples(...lines: readonly string[]): string {
  return `\nExamples\n${lines.map((line) => `  $ lamplighter ${line}`).join('\n')}`
}

/** Refuses a command that a group does not have, before its help or its default could be shown. */
export function refuseUnknownCommands(group: Command): void {
  if (group.commands.length === 0) return
  const refuse = () => {
    const word = group.args.find((argument) => argument !== 'help') ?? '-'
    const names = group.commands.map((command) => command.name())
    if (word.startsWith('-') || names.includes(word)) return
    const said = [
      `error: unknown command '${word}'`,
      hintFor(word, names),
      `See ${pathOf(group)} --help`,
    ]
    group.error(said.join('\n'), { code: 'commander.unknownCommand' })
  }
  group.on('command:*', refuse).hook('preSubcommand', refuse)
  group.addHelpText('before', () => {
    refuse()
    return ''
  })
  group.commands.forEach(refuseUnknownCommands)
}

function hintFor(word: string, names: readonly string[]): string {
  const near = nearestName(word, names)
  return near === undefined ? `(The commands are ${names.join(', ')}.)` : `(Did you mean ${near}?)`
}

/** As an operator types it. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
