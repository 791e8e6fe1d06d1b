import milestones from '#rooms/goals/milestone-text.en.json' with { type: 'json' };
import goals from '#rooms/goals/text.en.json' with { type: 'json' };

/** The texts of a person's own goal, which its card brings along. */
export const goalTexts = { goals } as const;

/** The texts of milestones, for those who set them and for those who are thanked. */
export const milestoneTexts = { goals: milestones } as const;
