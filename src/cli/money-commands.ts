// Commands about batches and the gateway's ledger.

import { Argument, type Command } from 'commander'
import { CLOSED_DISPUTES } from '../core/dispute.ts'
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
      "compare a day's batches with the gateway's own ledger; the exit status is 1 if they differ",
    )
    .requiredOption('--date <date>', 'the business date, YYYY-MM-DD')
    .option('--account <id>', 'only this account, with or without a batch')
    .option('--lost', 'also every live account without a batch, as after a restore')
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples('reconcile --date 2026-11-20', 'reconcile --date 2026-11-20 --lost'),
    )
    .action(async (options) => (await import('./reconcile.ts')).reconcileCommand(options))
  program
    .command('disputes')
    .description('disputes whose gateway cannot be asked any more')
    .command('end')
    .argument('<id>', 'the dispute, as in the log and in GET /dispute')
    .addArgument(new Argument('<status>', 'how it ended').choices(CLOSED_DISPUTES))
    .description(
      'record how a dispute of a former account of the gateway has ended, as its dashboard says',
    )
    .option('--even-if-unsaid', 'also if the gateway does not answer, as for a closed account')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('disputes end 0199c2a0-0000-7000-8000-000000000001 lost'))
    .action(async (id, status, options) =>
      (await import('./disputes.ts')).endDisputeCommand(id, status, options),
    )
}
