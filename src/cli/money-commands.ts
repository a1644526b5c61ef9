// Commands about batches and the gateway's ledger.

import type { Command } from 'commander'
import { examples, JSON_OPTION, WIDE_OPTION } from './command-options.ts'

export function addMoneyCommands(program: Command): void {
  program
    .command('settle')
    .description('close the batches whose cutoff has passed')
    .option('--account <id>', 'only those of this account')
    .option('--date <date>', 'only those of this business date, YYYY-MM-DD')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('settle', 'settle --date 2026-11-20'))
    .action(async (options) => (await import('./settle.ts')).settleCommand(options))
  program
    .command('reconcile')
    .description(
      "compare a day's batches, and live accounts without one, with the gateway's own ledger; the exit status is 1 if they differ",
    )
    .requiredOption('--date <date>', 'the business date, YYYY-MM-DD')
    .option('--account <id>', 'only this account')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('reconcile --date 2026-11-20'))
    .action(async (options) => (await import('./reconcile.ts')).reconcileCommand(options))
}
