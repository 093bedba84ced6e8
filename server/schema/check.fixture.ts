import { StatusError } from '../base/status-error.ts';
import { checkStructure } from './check.ts';
import { decodeJsonText } from './json.ts';
import { structureOfKind } from './load.ts';
import type { StructType } from './structure.ts';

export function structure(apiVersion: string, kind: string): StructType {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = structureOfKind(group ?? '', version ?? '', kind);
  if (!found) throw new Error(`no structure of ${kind}`);
  return found;
}

/** A body as its structure has it, and what of it is passed over. */
export function read(type: StructType, text: string) {
  const decoded = decodeJsonText(text);
  const { value, unknown } = checkStructure(decoded.value, type, { oddNumbers: decoded.oddNumbers });
  return { value, faults: decoded.faults(unknown) };
}

export const configMap = structure('v1', 'ConfigMap');
export const pod = structure('v1', 'Pod');
export const deployment = structure('apps/v1', 'Deployment');
export const definition = structure('apiextensions.k8s.io/v1', 'CustomResourceDefinition');

/** Why a body is refused, or `none`. */
export function mistakeOf(type: StructType, text: string): string {
  try {
    read(type, text);
  } catch (error) {
    if (error instanceof StatusError && error.status.reason === 'BadRequest') return error.message;
    throw error;
  }
  return 'none';
}
