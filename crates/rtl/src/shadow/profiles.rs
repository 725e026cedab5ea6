//! Members and groups of action profiles and selectors.

use super::{Result, Shadow};
use ww_dataplane::control::{ActionData, ProfileIndex, ProfileView, Target};
use ww_engine::validation;

impl Shadow {
    fn is_referred_to(&self, profile: ProfileIndex, target: &Target) -> bool {
        self.schema[profile].tables.iter().map(|table| &self.tables[table.index()]).any(|table| {
            table.default == *target || table.entries.values().any(|entry| entry.target == *target)
        })
    }

    pub fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        let info = validation::profile_info(&self.schema, profile)?;
        validation::arguments(&info.actions, &data)?;
        let added = self.profiles[profile.index()].add(data);
        added.map_err(|error| validation::profile_error(info, error, 0))
    }

    pub fn member_modify(
        &mut self,
        profile: ProfileIndex,
        member: u32,
        to: ActionData,
    ) -> Result<()> {
        let info = validation::profile_info(&self.schema, profile)?;
        validation::arguments(&info.actions, &to)?;
        let done = self.profiles[profile.index()].modify(member, to);
        done.map_err(|error| validation::profile_error(info, error, member))
    }

    pub fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        let info = validation::profile_info(&self.schema, profile)?;
        if self.is_referred_to(profile, &Target::Member(member)) {
            return Err(validation::member_in_use(info, member));
        }
        let done = self.profiles[profile.index()].remove(member);
        done.map_err(|error| validation::profile_error(info, error, member))
    }

    pub fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        validation::has_groups(validation::profile_info(&self.schema, profile)?)?;
        Ok(self.profiles[profile.index()].create_group())
    }

    pub fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        let info = validation::profile_info(&self.schema, profile)?;
        if self.is_referred_to(profile, &Target::Group(group)) {
            return Err(validation::group_in_use(info, group));
        }
        let done = self.profiles[profile.index()].remove_group(group);
        done.map_err(|error| validation::profile_error(info, error, group))
    }

    pub fn group_add_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        let info = validation::profile_info(&self.schema, profile)?;
        let done = self.profiles[profile.index()].join(group, member);
        done.map_err(|error| validation::membership_error(info, error, group, member))
    }

    pub fn group_remove_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        let info = validation::profile_info(&self.schema, profile)?;
        let done = self.profiles[profile.index()].leave(group, member);
        done.map_err(|error| validation::membership_error(info, error, group, member))
    }

    /// Members and groups.
    pub fn profile(&self, profile: ProfileIndex) -> Result<ProfileView> {
        validation::profile_info(&self.schema, profile)?;
        let kept = &self.profiles[profile.index()];
        Ok(ProfileView {
            members: kept.members().map(|(handle, data)| (handle, data.clone())).collect(),
            groups: kept.groups().clone(),
        })
    }

    /// What a member does.
    pub fn member(&self, profile: ProfileIndex, member: u32) -> Option<&ActionData> {
        self.profiles.get(profile.index())?.member(member)
    }
}
