// The commands, their options and their help. Each command loads its own code when it is called, so
// that `--help` and short commands answer fast.

import { Command, CommanderError } from 'commander'
import { runningVersion } from '../package.ts'
import { refuseUnknownCommands } from './command-options.ts'
import { addMessageCommands } from './message-commands.ts'
import { addMoneyCommands } from './money-commands.ts'
import { addOperatorCommands } from './operator-commands.ts'
import { addServiceCommands } from './service-commands.ts'
import { addTeamCommands } from './team-commands.ts'

const ABOUT = `
Times are in UTC unless they name a zone. Every command that prints data takes --json, which prints
one JSON document with the field names of the API; lists also take --wide, which shows all columns.
NO_COLOR turns colours off, FORCE_COLOR=1 turns them on.

Exit status
  0  done, and nothing is wrong
  1  refused or failed, or doctor or reconcile found something wrong
  2  no such command, option or choice, or one is missing: nothing was done

Examples
  $ lamplighter start
  $ lamplighter teams create "Moonlight Books"
  $ lamplighter keys create --team "Moonlight Books" --mode sandbox --expires 90d
  $ lamplighter doctor`

/** The status after a command that the program does not know. */
const MISUSED = 2

export function buildProgram(): Command {
  const program = new Command('lamplighter')
    .description('A payments service whose heart is its workers.')
    .usage('<command> [options]')
    .version(runningVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command and its options')
    .helpCommand('help [command]', 'explain a command and its options')
    .addHelpText('after', ABOUT)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, 'lamplighter: ')),
    })
    .configureHelp({ showGlobalOptions: false })
    .showSuggestionAfterError()
  addServiceCommands(program)
  addOperatorCommands(program)
  addMoneyCommands(program)
  addTeamCommands(program)
  addMessageCommands(program)
  refuseUnknownCommands(program)
  return program
}

export async function runProgram(): Promise<void> {
  try {
    await buildProgram().parseAsync()
  } catch (error) {
    // The message is printed already.
    if (error instanceof CommanderError) process.exitCode = statusOf(error)
    else (await import('./output.ts')).fail(error)
  }
}

function statusOf({ code, exitCode }: CommanderError): number {
  // A group without a command prints its help, as does `--help`.
  return exitCode === 0 ? 0 : code.startsWith('commander.') ? MISUSED : exitCode
}
