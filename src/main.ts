#!/usr/bin/env node
// The command line. Each command is read only when it is called, so that none waits for another's
// code.

import { Command } from 'commander'
import { addDeliveries } from './cli/deliveries-commands.ts'

// Every instant that we compare is absolute, and none of our answers may depend on where the
// machine stands.
process.env.TZ = 'UTC'

const JSON_OPTION = ['--json', 'answer in JSON'] as const

/** What begins with `sandbox_` may as well begin with `live_`: each account has its own. */
const CHANGES =
  'such as status=inactive, sms_enabled=true, live_rate_limit=500, sandbox_cutoff=18:30, sandbox_timezone=America/Chicago, sandbox_retry_days=1,3,7 (or none), email=pay@shop.example (or none) or live_receipts=email,sms (or none)'

const program = new Command('lamplighter')
  .description('A payments service whose heart is its workers.')
  .showHelpAfterError('(lamplighter --help lists the commands)')

program
  .command('start')
  .description('the whole service in one process')
  .action(async () => (await import('./cli/start.ts')).start())

program
  .command('api')
  .description('the intake alone')
  .action(async () => (await import('./cli/serve-part.ts')).api())

program
  .command('worker')
  .argument('[queue...]', 'the queues to work on; all of them when none is named')
  .description('the workers alone')
  .action(async (queues: string[]) => (await import('./cli/serve-part.ts')).worker(queues))

program
  .command('migrate')
  .description('bring the database up to date')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/migrate.ts')).migrateAll(options))

program
  .command('doctor')
  .description('say what is wrong, and what to do')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/doctor.ts')).doctor(options))

program
  .command('settle')
  .description('close the batches whose cutoff has passed')
  .option('--account <id>', 'of one account')
  .option('--date <date>', 'of one business date, YYYY-MM-DD')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/settle.ts')).settle(options))

program
  .command('reconcile')
  .description("compare a day's batches with the gateway's own books")
  .option('--account <id>', 'of one account')
  .requiredOption('--date <date>', 'the business date, YYYY-MM-DD')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/reconcile.ts')).reconcile(options))

program
  .command('sign-in-link')
  .description('an address that signs in to the console, once, within half an hour')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/sign-in-link.ts')).signInLink(options))

const sessions = program.command('sessions').description('who is signed in to the console')

sessions
  .command('list', { isDefault: true })
  .description('the newest first')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/sessions.ts')).list(options))

sessions
  .command('end')
  .argument('[id]', 'one of the list')
  .option('--all', 'every session, and every sign-in link that waits to be used')
  .option(...JSON_OPTION)
  .action(async (id, options) => (await import('./cli/sessions.ts')).end(id, options))

program
  .command('secrets')
  .description('what seals the secrets in the database')
  .command('rotate')
  .description('seal all of them under the first key of SECRETS_KEY, while the service runs')
  .option('--new-key', 'make a key in DATA_DIR first, where SECRETS_KEY is not set')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/secrets.ts')).rotate(options))

const teams = program.command('teams').description('merchants')

teams
  .command('create')
  .argument('<name>')
  .option(...JSON_OPTION)
  .action(async (name, options) => (await import('./cli/teams.ts')).create(name, options))

teams
  .command('list')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/teams.ts')).list(options))

teams
  .command('set')
  .argument('<team>', 'id or name')
  .argument('<change...>', CHANGES)
  .option(...JSON_OPTION)
  .action(async (team, changes, options) =>
    (await import('./cli/teams.ts')).set(team, changes, options),
  )

const keys = program.command('keys').description("merchants' keys")

keys
  .command('create')
  .requiredOption('--team <team>', 'id or name')
  .option('--mode <mode>', 'sandbox or live', 'sandbox')
  .option('--name <name>', 'what to call it', 'key')
  .option('--expires <when>', 'a date, or a time from now such as 90d')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/keys.ts')).create(options))

keys
  .command('list')
  .option('--team <team>', 'id or name')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/keys.ts')).list(options))

keys
  .command('roll')
  .argument('<id>')
  .option('--overlap <time>', 'how long the old one lives on, such as 24h', '0m')
  .option(...JSON_OPTION)
  .action(async (id, options) => (await import('./cli/keys.ts')).roll(id, options))

keys
  .command('set')
  .argument('<id>')
  .argument('<change...>', 'name=…, or expires= and a date, a time from now such as 90d, or never')
  .option(...JSON_OPTION)
  .action(async (id, changes, options) => (await import('./cli/keys.ts')).set(id, changes, options))

keys
  .command('revoke')
  .argument('<id>')
  .option(...JSON_OPTION)
  .action(async (id, options) => (await import('./cli/keys.ts')).revoke(id, options))

const outbox = program
  .command('outbox')
  .description('messages that were kept because no provider is set up')

outbox
  .command('list', { isDefault: true })
  .description('the newest first')
  .option('--limit <count>', 'how many', '20')
  .option('--channel <channel>', 'email or sms')
  .option(...JSON_OPTION)
  .action(async (options) => (await import('./cli/outbox.ts')).list(options))

outbox
  .command('show')
  .argument('<id>')
  .option('--html', 'the page alone')
  .option('--raw', 'the file, as any mail program opens it')
  .option(...JSON_OPTION)
  .action(async (id, options) => (await import('./cli/outbox.ts')).show(id, options))

addDeliveries(program)

try {
  await program.parseAsync()
} catch (error) {
  const { fail } = await import('./cli/output.ts')
  fail(error)
}
