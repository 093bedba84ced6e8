import { badRequest } from '../base/status-error.ts';
import type { WriteCall, Written } from './call.ts';

export async function applyPatch(_call: WriteCall, _body: Buffer): Promise<Written> {
  throw badRequest('apply is not there yet');
}
