import { describe } from 'vitest';
import { creations } from '../../write-tables.fixture.ts';
import { podTemplate } from './pod-template.ts';

describe('PodTemplate', () => {
  creations(podTemplate, [['no containers', {}, ['template.spec.containers Required']]]);
});
