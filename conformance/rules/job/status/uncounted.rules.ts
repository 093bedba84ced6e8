import { defineRule } from '../../../rule.ts';
import { changeEvent, editEvent, removeIn, swallowEvent } from '../../../sabotage/transforms.ts';
import type { Json } from '../../../verbs/client.ts';
import type { RuleContext } from '../../../verbs/context.ts';
import { type JobRun, startJob } from '../../../verbs/job-runs.ts';
import { succeed } from '../../../verbs/node-play.ts';
import type { Watch } from '../../../verbs/watch.ts';
import { defineShapeRule } from './uncounted-shape.ts';
