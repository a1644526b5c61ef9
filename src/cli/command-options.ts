// What several commands have in common: their options, their examples, and the error for an unknown
// command.

import { type Command, Option } from 'commander'
import { nearestName } from '../core/spelling.ts'

export const JSON_OPTION = ['--json', 'print one JSON document'] as const

export const WIDE_OPTION = ['--wide', 'show all columns, and cut nothing'] as const

/** An option whose values are words: any other is refused, and the help names them. */
export function choice(flags: string, words: readonly string[], description: string): Option {
  return new Option(flags, description).choices(words)
}

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
    refuseUnknown(group, word, names)
  }
  group.on('command:*', refuse).hook('preSubcommand', refuse)
  group.addHelpText('before', () => {
    refuse()
    return ''
  })
  group.commands.forEach(refuseUnknownCommands)
}

/** For a word that is none of these names: nothing was done. */
function refuseUnknown(group: Command, word: string, names: readonly string[]): never {
  const near = nearestName(word, names)
  const all = `(The commands are ${names.join(', ')}.)`
  const hint = near === undefined ? all : `(Did you mean ${near}?)`
  const said = [`error: unknown command '${word}'`, hint, `See ${pathOf(group)} --help`]
  return group.error(said.join('\n'), { code: 'commander.unknownCommand' })
}

/** As an operator types it. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
