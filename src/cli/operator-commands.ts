// Commands about the people who work on the console, and their sessions.

import type { Command } from 'commander'
import { ROLES } from '../core/role.ts'
import { choice, examples, JSON_OPTION, WIDE_OPTION } from './command-options.ts'

export function addOperatorCommands(program: Command): void {
  const operators = program
    .command('operators')
    .description('the people who work on the console, each with a password and a role')
  operators
    .command('list', { isDefault: true })
    .description('list them by name')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./operators.ts')).listOperatorsCommand(options))
  operators
    .command('add')
    .argument('<name>', 'as the audit log will have it')
    .description('add an operator, and print a link at which they choose a password')
    .addOption(choice('--role <role>', ROLES, 'what they may do').default('operate'))
    .option(...JSON_OPTION)
    .addHelpText('after', examples('operators add "Grace Hopper" --role admin'))
    .action(async (name, options) =>
      (await import('./operators.ts')).addOperatorCommand(name, options),
    )
  operators
    .command('set')
    .argument('<name>', 'the operator')
    .argument('<change...>', 'role=view (or operate, or admin) or enabled=false (or true)')
    .description('change the role of an operator, or whether they may sign in')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('operators set "Grace Hopper" role=view'))
    .action(async (name, changes, options) =>
      (await import('./operators.ts')).setOperatorCommand(name, changes, options),
    )
  operators
    .command('password-link')
    .argument('<name>', 'the operator')
    .description('print a link at which they choose another password, once, within four days')
    .option(...JSON_OPTION)
    .action(async (name, options) =>
      (await import('./operators.ts')).passwordLinkCommand(name, options),
    )
  operators
    .command('reset-second-factor')
    .argument('<name>', 'the operator')
    .description('remove a second factor: for a lost telephone, or after too many wrong codes')
    .option(...JSON_OPTION)
    .action(async (name, options) =>
      (await import('./operators.ts')).resetSecondFactorCommand(name, options),
    )
  addSessionCommands(program)
}

function addSessionCommands(program: Command): void {
  program
    .command('sign-in-link')
    .description('print an address that signs in to the console once, within half an hour')
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./sessions.ts')).signInLinkCommand(options))
  const sessions = program
    .command('sessions')
    .description('operators who are signed in to the console')
  sessions
    .command('list', { isDefault: true })
    .description('list them, the newest first')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./sessions.ts')).listSessionsCommand(options))
  sessions
    .command('end')
    .argument('[id]', 'a session of the list')
    .description('sign an operator out, or all of them')
    .option('--all', 'end every session and every unused link')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('sessions end 0123456789abcdef', 'sessions end --all'))
    .action(async (id, options) => (await import('./sessions.ts')).endSessionsCommand(id, options))
}
