// Commands about merchants' teams and keys.

import type { Command } from 'commander'
import { MODES } from '../accounts/key.ts'
import { DIALECTS } from '../core/dialect.ts'
import { choice, examples, JSON_OPTION, WIDE_OPTION } from './command-options.ts'

/** Each setting that begins with `sandbox_` also exists with `live_`. */
const CHANGES =
  'such as status=inactive, sms_enabled=true, live_rate_limit=500, sandbox_cutoff=18:30, sandbox_timezone=America/Chicago, sandbox_retry_days=1,3,7 (or none), email=pay@shop.example (or none), live_receipts=email,sms (or none), live_stripe_account=acct_… (or none), live_gateway=checkout (or stripe, or default), live_language=fr, live_colour=#0b5fff, live_logo=logo.png, live_support_email=…, live_support_phone=… or live_website=https://… (or none)'

export function addTeamCommands(program: Command): void {
  const teams = program.command('teams').description("merchants' teams")
  teams
    .command('create')
    .argument('<name>', 'what to call it')
    .description('create a team with a sandbox and a live account')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('teams create "Moonlight Books"'))
    .action(async (name, options) => (await import('./teams.ts')).createTeamCommand(name, options))
  teams
    .command('list')
    .description('list all teams, the oldest first')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./teams.ts')).listTeamsCommand(options))
  teams
    .command('set')
    .argument('<team>', 'id or name')
    .argument('<change...>', CHANGES)
    .description('change settings of a team or of its accounts')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'teams set "Moonlight Books" status=inactive',
        'teams set "Moonlight Books" live_cutoff=18:30 live_timezone=America/Chicago',
      ),
    )
    .action(async (team, changes, options) =>
      (await import('./teams.ts')).setTeamCommand(team, changes, options),
    )
  teams
    .command('stop-clock')
    .argument('<team>', 'id or name')
    .description("stop the advance of the team's sandbox clock at the instant it has reached")
    .option(...JSON_OPTION)
    .action(async (team, options) => (await import('./teams.ts')).stopClockCommand(team, options))
  addKeyCommands(program)
}

function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description("merchants' API keys")
  keys
    .command('create')
    .description('create a key and print it, this once')
    .requiredOption('--team <team>', 'id or name')
    .addOption(choice('--mode <mode>', MODES, 'whose account of the team').default('sandbox'))
    .option('--name <name>', 'what to call it', 'key')
    .addOption(
      choice('--dialect <dialect>', DIALECTS, 'the form of its answers').default('standard'),
    )
    .option('--expires <when>', 'a date, or a time from now such as 90d')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('keys create --team "Moonlight Books" --expires 90d'))
    .action(async (options) => (await import('./keys.ts')).createKeyCommand(options))
  keys
    .command('list')
    .description('list keys, the oldest first')
    .option('--team <team>', 'only those of this team: id or name')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./keys.ts')).listKeysCommand(options))
  keys
    .command('roll')
    .argument('<id>', 'the key to replace')
    .description('create a key with the same name, mode, dialect and lifetime, and end the old one')
    .option('--overlap <time>', 'how long the old one still works, such as 24h', '0m')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('keys roll <id> --overlap 24h'))
    .action(async (id, options) => (await import('./keys.ts')).rollKeyCommand(id, options))
  keys
    .command('set')
    .argument('<id>', 'the key to change')
    .argument(
      '<change...>',
      'name=…; dialect=standard or dialect=stax; expires= and a date, a time from now such as 90d, or never',
    )
    .description('rename a key, change when it expires, or the form of its answers')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('keys set <id> name="the till" expires=never'))
    .action(async (id, changes, options) =>
      (await import('./keys.ts')).setKeyCommand(id, changes, options),
    )
  keys
    .command('revoke')
    .argument('<id>', 'the key to end')
    .description('end a key at once')
    .option(...JSON_OPTION)
    .action(async (id, options) => (await import('./keys.ts')).revokeKeyCommand(id, options))
}
