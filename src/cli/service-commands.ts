// Commands that run the service and look after it.

import { Argument, type Command } from 'commander'
import { QUEUE_NAMES, type QueueName } from '../queue/catalogue.ts'
import { examples, JSON_OPTION, WIDE_OPTION } from './command-options.ts'

export function addServiceCommands(program: Command): void {
  program
    .command('start')
    .description('run the whole service in one process, and print where it is')
    .action(async () => (await import('./serve.ts')).startCommand())
  program
    .command('api')
    .description('run the API server alone')
    .action(async () => (await import('./serve.ts')).apiCommand())
  program
    .command('worker')
    .addArgument(
      new Argument('[queue...]', 'those to work on; all of them when none is named').choices(
        QUEUE_NAMES,
      ),
    )
    .description('run workers alone')
    .addHelpText('after', examples('worker', 'worker charge refund'))
    .action(async (queues: QueueName[]) => (await import('./serve.ts')).workerCommand(queues))
  program
    .command('migrate')
    .description('bring the database up to date; start, api and worker do the same')
    .option('--status', 'only list the migrations that are pending, and apply none')
    .option(...JSON_OPTION)
    .action(async (options) => (await import('./migrate.ts')).migrateCommand(options))
  program
    .command('doctor')
    .description('say what is wrong and what to do; the exit status is 1 if something is wrong')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('doctor', 'doctor --json'))
    .action(async (options) => (await import('./doctor.ts')).doctorCommand(options))
  addSecretsCommands(program)
}

function addSecretsCommands(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('the keys that seal the secrets in the database')
  secrets
    .command('rotate')
    .description('seal all secrets under the first key of SECRETS_KEY, while the service runs')
    .option('--new-key', 'make a key in DATA_DIR first, if SECRETS_KEY is not set')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('secrets rotate --new-key'))
    .action(async (options) => (await import('./secrets.ts')).rotateSecretsCommand(options))
  secrets
    .command('forget')
    .argument('<key>', 'the key, as the refused start or the doctor names it')
    .description(
      'let processes start without a key that is lost for good, and list whose secrets are lost with it',
    )
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('secrets forget 0123456789abcdef'))
    .action(async (key, options) =>
      (await import('./secrets.ts')).forgetSecretsKeyCommand(key, options),
    )
}
