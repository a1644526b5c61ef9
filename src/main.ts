#!/usr/bin/env node
// The command line.

import { runProgram } from './cli/program.ts'

// No answer may depend on the time zone of the machine.
process.env.TZ = 'UTC'

await runProgram()
