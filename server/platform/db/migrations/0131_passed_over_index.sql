-- Every list and every booking counts the people of a course who are passed over, of whom there are hardly any.
create index bookings_passed_over on bookings (course_id) where is_passed_over;
