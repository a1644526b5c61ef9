#!/usr/bin/env node
// The command line. Each command loads its own code when it is called, so that `--help` and short
// commands answer fast.

import { Command } from 'commander'
import { packageVersion } from './package.ts'

// No answer may depend on the time zone of the machine.
process.env.TZ = 'UTC'

const JSON_OPTION = ['--json', 'answer in JSON'] as const

/** Each setting that begins with `sandbox_` also exists with `live_`. */
const CHANGES =
  'such as status=inactive, sms_enabled=true, live_rate_limit=500, sandbox_cutoff=18:30, sandbox_timezone=America/Chicago, sandbox_retry_days=1,3,7 (or none), email=pay@shop.example (or none), live_receipts=email,sms (or none) live_stripe_account=acct_… (or none) or live_gateway=checkout (or stripe, or default)'

const program = new Command('lamplighter')
  .description('A payments service whose heart is its workers.')
  .version(packageVersion())
  .showHelpAfterError('(lamplighter --help lists the commands)')

program
  .command('start')
  .description('the whole service in one process')
  .action(async () => (await import('./cli/start.ts')).startCommand())

program
  .command('api')
  .description('the API server alone')
  .action(async () => (await import('./cli/serve.ts')).apiCommand())

program
  .command('worker')
  .argument('[queue...]', 'the queues to work on; all of them when none is named')
  .description('the workers alone')
  .action(async (queues: string[]) => (await import('./cli/serve.ts')).workerCommand(queues))

program
  .command('migrate')
  .description('bring the database up to date')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/migrate.ts')).migrateCommand(options))

program
  .command('doctor')
  .description('say what is wrong and what to do')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/doctor.ts')).doctorCommand(options))

program
  .command('settle')
  .description('close the batches whose cutoff has passed')
  .option('--account <id>', 'of one account')
  .option('--date <date>', 'of one business date, YYYY-MM-DD')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/settle.ts')).settleCommand(options))

program
  .command('reconcile')
  .description("compare a day's batches with the gateway's own ledger")
  .option('--account <id>', 'of one account')
  .requiredOption('--date <date>', 'the business date, YYYY-MM-DD')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/reconcile.ts')).reconcileCommand(options))

program
  .command('sign-in-link')
  .description('an address that signs in to the console, once, within half an hour')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/sessions.ts')).signInLinkCommand(options))

const operators = program
  .command('operators')
  .description('the people who work on the console, each with a password and a role')

operators
  .command('list', { isDefault: true })
  .description('by name')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/operators.ts')).listOperatorsCommand(options))

operators
  .command('add')
  .description('add an operator, and print a link at which they choose a password')
  .argument('<name>', 'as the audit log will have it')
  .option('--role <role>', 'view, operate or admin', 'operate')
  .option(...JSON_OPTION)
  .action(async (name, options) =>
    (await import('./cli/operators.ts')).addOperatorCommand(name, options),
  )

operators
  .command('set')
  .description('change the role, or whether they may sign in')
  .argument('<name>')
  .argument('<change...>', 'role=view (or operate, or admin) or enabled=false (or true)')
  .option(...JSON_OPTION)
  .action(async (name, changes, options) =>
    (await import('./cli/operators.ts')).setOperatorCommand(name, changes, options),
  )

operators
  .command('password-link')
  .description('a link at which they choose another password, once, within four days')
  .argument('<name>')
  .option(...JSON_OPTION)
  .action(async (name, options) =>
    (await import('./cli/operators.ts')).passwordLinkCommand(name, options),
  )

operators
  .command('reset-second-factor')
  .description('for a lost telephone, and after too many wrong codes')
  .argument('<name>')
  .option(...JSON_OPTION)
  .action(async (name, options) =>
    (await import('./cli/operators.ts')).resetSecondFactorCommand(name, options),
  )

const sessions = program
  .command('sessions')
  .description('operators who are signed in to the console')

sessions
  .command('list', { isDefault: true })
  .description('the newest first')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/sessions.ts')).listSessionsCommand(options))

sessions
  .command('end')
  .argument('[id]', 'one of the list')
  .option('--all', 'every session, and every unused sign-in link')
  .option(...JSON_OPTION)
  .action(async (id, options) =>
    (await import('./cli/sessions.ts')).endSessionsCommand(id, options),
  )

program
  .command('secrets')
  .description('what seals the secrets in the database')
  .command('rotate')
  .description('seal all of them under the first key of SECRETS_KEY, while the service runs')
  .option('--new-key', 'make a key in DATA_DIR first, where SECRETS_KEY is not set')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/secrets.ts')).rotateSecretsCommand(options))

const teams = program.command('teams').description('merchants')

teams
  .command('create')
  .argument('<name>')
  .option(...JSON_OPTION)
  .action(async (name, options) =>
    (await import('./cli/teams.ts')).createTeamCommand(name, options),
  )

teams
  .command('list')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/teams.ts')).listTeamsCommand(options))

teams
  .command('set')
  .argument('<team>', 'id or name')
  .argument('<change...>', CHANGES)
  .option(...JSON_OPTION)
  .action(async (team, changes, options) =>
    (await import('./cli/teams.ts')).setTeamCommand(team, changes, options),
  )

const keys = program.command('keys').description("merchants' keys")

keys
  .command('create')
  .requiredOption('--team <team>', 'id or name')
  .option('--mode <mode>', 'sandbox or live', 'sandbox')
  .option('--name <name>', 'what to call it', 'key')
  .option('--expires <when>', 'a date, or a time from now such as 90d')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/keys.ts')).createKeyCommand(options))

keys
  .command('list')
  .option('--team <team>', 'id or name')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/keys.ts')).listKeysCommand(options))

keys
  .command('roll')
  .argument('<id>')
  .option('--overlap <time>', 'how long the old one still works, such as 24h', '0m')
  .option(...JSON_OPTION)
  .action(async (id, options) => (await import('./cli/keys.ts')).rollKeyCommand(id, options))

keys
  .command('set')
  .argument('<id>')
  .argument('<change...>', 'name=…, or expires= and a date, a time from now such as 90d, or never')
  .option(...JSON_OPTION)
  .action(async (id, changes, options) =>
    (await import('./cli/keys.ts')).setKeyCommand(id, changes, options),
  )

keys
  .command('revoke')
  .argument('<id>')
  .option(...JSON_OPTION)
  .action(async (id, options) => (await import('./cli/keys.ts')).revokeKeyCommand(id, options))

const outbox = program
  .command('outbox')
  .description('messages that were not sent because no provider is configured')

outbox
  .command('list', { isDefault: true })
  .description('the newest first')
  .option('--limit <count>', 'how many', '20')
  .option('--channel <channel>', 'email or sms')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/outbox.ts')).listOutboxCommand(options))

outbox
  .command('show')
  .argument('<id>')
  .option('--html', 'the page alone')
  .option('--raw', 'the file, as any mail program opens it')
  .option(...JSON_OPTION)
  .action(async (id, options) => (await import('./cli/outbox.ts')).showMessageCommand(id, options))

const deliveries = program
  .command('deliveries')
  .description('messages and webhooks: list those that need attention, show one, retry, dismiss')

deliveries
  .command('list', { isDefault: true })
  .description('the newest first')
  .option('--status <status>', 'parked, closed, pending, sent or delivered', 'parked')
  .option('--channel <channel>', 'email, sms or webhook')
  .option('--account <id>', 'of one account')
  .option('--team <team>', 'of one team: id or name')
  .option('--since <when>', 'a date, or a time ago such as 2d')
  .option('--limit <count>', 'so many at most', '50')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/deliveries.ts')).listDeliveriesCommand(options))

deliveries
  .command('show')
  .argument('<id>')
  .description('all of its history')
  .option(...JSON_OPTION)
  .action(async (id, options) =>
    (await import('./cli/deliveries.ts')).showDeliveryCommand(id, options),
  )

toSome(deliveries.command('retry'), 'such as out_of_tries; opted_out only by name')
  .description('retry parked deliveries now')
  .action(async (ids, options) =>
    (await import('./cli/deliveries.ts')).retryDeliveriesCommand(ids, options),
  )

toSome(deliveries.command('close'), 'such as refused')
  .description('dismiss parked deliveries')
  .action(async (ids, options) =>
    (await import('./cli/deliveries.ts')).closeDeliveriesCommand(ids, options),
  )

try {
  await program.parseAsync()
} catch (error) {
  const { fail } = await import('./cli/output.ts')
  fail(error)
}

function toSome(command: Command, reasons: string): Command {
  return command
    .argument('[id...]', 'parked deliveries; or a filter instead')
    .option('--channel <channel>', 'email, sms or webhook')
    .option('--reason <reason>', `why they are parked, ${reasons}`)
    .option('--account <id>', 'of one account')
    .option('--team <team>', 'of one team: id or name')
    .option('--since <when>', 'parked since a date, or a time ago such as 2d')
    .option(...JSON_OPTION)
}
