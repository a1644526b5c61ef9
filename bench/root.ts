import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')

export const BUILT = join(ROOT, 'dist', 'src', 'main.js')
