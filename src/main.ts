#!/usr/bin/env node
// The command line.

import { runProgram } from './cli/program.ts'
import { watchOutput } from './cli/watch-output.ts'
import { nameStackLines } from './log/stack-lines.ts'

// No answer may depend on the time zone of the machine.
process.env.TZ = 'UTC'

nameStackLines()
watchOutput()

await runProgram()
